# %% [markdown]
# # Christoffel symbols and equations of a two-axis arm
#
# A column turns about the vertical $z$ by $q^1$; at the place $(d, 0, 0.5\ \mathrm m)$ it carries an arm that is raised
# about $-y$ by $q^2$. You find the metric, the Christoffel symbols of the first kind and the equations of motion in the
# covariant form of Marković and Obradović,
# $$a_{\alpha\beta}\ddot q^\beta + \Gamma_{\beta\gamma,\alpha}\dot q^\beta\dot q^\gamma
# + \partial\Pi/\partial q^\alpha = Q_\alpha .$$
#
# In answers the coordinates are counted from 0, as in the program: `q[0]`, `q[1]`, velocities `u[0]`, `u[1]`,
# accelerations `ud[0]`, `ud[1]`. Any form of a formula is right that is equal to the right one.

# %%
import mbwidgets as mb
from mbwidgets import assignments

student = "s0000000"  # your own number

# %%
m = mb.Parameter("m", 4, min=0, unit="kg")
d, l, b = (mb.Parameter(name, 0.2, min=0, unit="m") for name in ("d", "l", "b"))
Jc, Ja, Jb = (mb.Parameter(name, 0.1, min=0, unit="kg m²") for name in ("Jc", "Ja", "Jb"))
g = mb.Parameter("g", 9.81, min=0, unit="m/s²")
phi = mb.Parameter("phi", 0.5, unit="rad")
w1, w2 = (mb.Parameter(name, 1, unit="rad/s") for name in ("w1", "w2"))
arm = mb.Model(
    [
        mb.Body("column", mb.Revolute("z"), mass=10, com=(0, 0, 0.25), inertia=(Jc, Jc, Jc)),
        mb.Body("arm", mb.Revolute("-y", at=(d, 0, 0.5)), mass=m, com=(l, b, 0), inertia=(Ja, Jb, Jb)),
    ],
    gravity=(0, 0, -g),
    state={"q": [0, phi], "u": [w1, w2]},
    name="two-axis arm",
)
template = assignments.Template(
    "arm",
    arm,
    {
        "m": assignments.Fractions(2, 6, denominator=2),
        "d": assignments.Fractions("1/10", "3/10", denominator=10),
        "l": assignments.Fractions("1/4", "3/4", denominator=6),
        "b": assignments.Fractions("1/20", "1/5", denominator=20),
        "phi": assignments.Grid("0.3", "1.2", "0.05"),
        "w1": assignments.Grid(1, 3, "0.25"),
        "w2": assignments.OneOf(["-2", "-1.5", "-1", "1", "1.5", "2"]),
    },
)
variant = assignments.Variant("mechanics", student, template)
model = variant.model
variant

# %% [markdown]
# In the drawing angles are counted from where their arcs begin.

# %%
mb.figures.geometry(model)

# %% [key]
LETTERS = dict.fromkeys(("m", "d", "l", "b", "Jc", "Ja", "Jb", "g", "q[0]", "q[1]", "u[0]", "u[1]", "ud[0]", "ud[1]"))
WHOLE = mb.covariant(arm)
GAMMA = WHOLE.christoffel(kind=1)
BIAS = WHOLE.equations().substitute(ud=[0, 0])


def _pick(entries):
    return f"[{', '.join(str(entry) for entry in entries)}]"


QUESTIONS = [
    assignments.Symbolic(
        name="q1",
        text="The metric a, as a matrix of formulae.",
        answer=str(WHOLE.metric.expanded()),
        letters=LETTERS,
        points=3,
        mistakes=[
            assignments.Mistake(
                "The inertia tensor of the arm is missing: rigid bodies are more than their mass centres.",
                str(WHOLE.metric.substitute(Ja=0, Jb=0)),
                credit=0.25,
            ),
            assignments.Mistake("The column's own inertia is missing.", str(WHOLE.metric.substitute(Jc=0)), credit=0.5),
        ],
    ),
    assignments.Symbolic(
        name="q2",
        text="The Christoffel symbols Γ_11,2, Γ_12,1 and Γ_22,1 of the first kind, as a list.",
        answer=_pick([GAMMA[0, 0, 1], GAMMA[0, 1, 0], GAMMA[1, 1, 0]]),
        letters=LETTERS,
        points=3,
        mistakes=[
            assignments.Mistake(
                "A factor of 2 is amiss: Γ_12,1 is half of the derivative, the equations count it two times.",
                _pick([GAMMA[0, 0, 1], 2 * GAMMA[0, 1, 0], GAMMA[1, 1, 0]]),
            ),
            assignments.Mistake(
                "The indices have changed places: Γ_βγ,α has the index of the equation last.",
                _pick([GAMMA[0, 1, 0], GAMMA[0, 0, 1], GAMMA[1, 1, 0]]),
            ),
        ],
    ),
    assignments.Symbolic(
        name="q3",
        text="The derivatives of the potential energy by q[0] and q[1], as a list.",
        answer=str(WHOLE.potential_gradient),
        letters=LETTERS,
        points=1,
        mistakes=[
            assignments.Mistake("Measure the angle from the horizontal: it is the cosine.", "[0, m*g*l*sin(q[1])]")
        ],
    ),
    assignments.Symbolic(
        name="q4",
        text="The left sides of both equations of motion, as a list.",
        answer=str(WHOLE.equations()),
        letters=LETTERS,
        points=4,
        mistakes=[
            assignments.Mistake(
                "coupled", str(WHOLE.equations() - [GAMMA[0, 1, 0] * mb.Formula("u[0]*u[1]"), 0]), credit=0.5
            ),
            assignments.Mistake("static", str(WHOLE.equations() - WHOLE.potential_gradient), credit=0.5),
        ],
    ),
    assignments.Vector(
        name="q5",
        text="The efforts of both motors that keep the velocities of the initial state constant at that moment.",
        answer=str(BIAS.substitute(q=[0, "phi"], u=["w1", "w2"])),
        unit="N m",
        points=2,
        mistakes=[
            assignments.Mistake(
                "static", str((BIAS - WHOLE.potential_gradient).substitute(q=[0, "phi"], u=["w1", "w2"]))
            ),
            assignments.Mistake(
                "coupled",
                str((BIAS - [GAMMA[0, 1, 0] * mb.Formula("u[0]*u[1]"), 0]).substitute(q=[0, "phi"], u=["w1", "w2"])),
                credit=0.5,
            ),
        ],
    ),
    assignments.MotionTable(
        name="q6",
        text="The motion of the arm without motors for one second.",
        columns=["q[0]", "q[1]"],
        duration=1,
        rate=20,
        relative=2e-3,
        points=3,
    ),
]

# %% [markdown]
# ## 1 Metric
# The matrix $a_{\alpha\beta}$ in `m`, `d`, `l`, `b`, `Jc`, `Ja`, `Jb` and `q[1]`: `"[[…, …], […, …]]"`. The column has
# the moment of inertia `Jc` about $z$; the arm has the mass `m`, its mass centre at $(l, b, 0)$ from its joint and
# principal moments `Ja`, `Jb`, `Jb` there. *(3 points)*

# %% [answer q1]
q1 = ""
### BEGIN SOLUTION
covariant = mb.covariant(model)
q1 = covariant.metric
### END SOLUTION

# %% [markdown]
# ## 2 Christoffel symbols
# $\Gamma_{11,2}$, $\Gamma_{12,1}$ and $\Gamma_{22,1}$ of the first kind as a list of three formulae. *(3 points)*

# %% [answer q2]
q2 = ""
### BEGIN SOLUTION
gamma = covariant.christoffel(kind=1)
q2 = [gamma[0, 0, 1], gamma[0, 1, 0], gamma[1, 1, 0]]
### END SOLUTION

# %% [markdown]
# ## 3 Weight
# $\partial\Pi/\partial q^1$ and $\partial\Pi/\partial q^2$ as a list. *(1 point)*

# %% [answer q3]
q3 = ""
### BEGIN SOLUTION
q3 = covariant.potential_gradient
### END SOLUTION

# %% [markdown]
# ## 4 Equations
# The left sides of both equations of motion as a list of two formulae. *(4 points)*

# %% [answer q4]
q4 = ""
### BEGIN SOLUTION
q4 = covariant.equations()
### END SOLUTION

# %% [markdown]
# ## 5 Efforts
# The efforts $Q_1, Q_2$ that make $\ddot q^1 = \ddot q^2 = 0$ at the initial state $q^1 = 0$, $q^2 = \varphi$,
# $\dot q^1 = w_1$, $\dot q^2 = w_2$ with your numbers, in N m. Angles are in radians. *(2 points)*

# %% [answer q5]
q5 = ""
### BEGIN SOLUTION
q5 = mb.Dynamics(model).bias(model.q0, model.u0)
### END SOLUTION

# %% [markdown]
# ## 6 Motion
# The motors are off. Integrate your equations from the initial state over one second and hand in a table with the
# columns `t,q[0],q[1]`, 21 rows, every 0.05 s. `assignments.table_text` writes such a table from a motion. *(3 points)*

# %% [answer q6]
q6 = ""
### BEGIN SOLUTION
motion = mb.simulate(model, duration=1, rate=20)
q6 = assignments.table_text(motion, ["q[0]", "q[1]"])
### END SOLUTION
