# %% [markdown]
# # Balancing a rotor
#
# A rotor turns about the horizontal shaft $z$. Its mass centre is off the axis by $e$ and its principal axes are
# tilted by the product of inertia $J_{xz}$, so that the bearing feels it. You describe the unbalance by the vectors of
# mass moments for the pole $O$ and the axis $z$ (Cajić and Lazarević, eqs 40 to 45) and then remove it.
#
# Body axes $x, y, z$ are those of the world at $q = 0$, and all answers are for $q = 0$. An answer is a text with
# numbers or expressions of your parameters: `"[0, m*e, 1/3] kg m"`; Python numbers and lists will do as well. A unit is
# converted; without one the question's own is meant.

# %%
import mbwidgets as mb
from mbwidgets import assignments

student = "s0000000"  # your own number

# %%
template = assignments.Template(
    "rotor",
    mb.library.rotor(),
    {
        "m": assignments.Grid(6, 14, "0.5"),
        "e": assignments.Grid("0.010", "0.040", "0.002"),
        "c": assignments.Grid("0.03", "0.10", "0.01"),
        "Jxz": assignments.Grid("-0.060", "-0.010", "0.005"),
        "omega": assignments.Grid(60, 140, 5),
    },
)
variant = assignments.Variant("mechanics", student, template)
model = variant.model
variant

# %% [markdown]
# In the drawing $q_1$ is the angle of the shaft.

# %%
mb.figures.geometry(model)

# %% [key]
STEINER = "[[1/5 + m*c**2, 0, Jxz - m*e*c], [0, 1/4 + m*(c**2 + e**2), 0], [Jxz - m*e*c, 0, 1/10 + m*e**2]]"
QUESTIONS = [
    assignments.Vector(
        name="q1",
        text="The static moment S of the rotor for the pole O and the axis z, at q = 0.",
        answer="[0, m*e, 0]",
        unit="kg m",
        points=2,
        mistakes=[
            assignments.Mistake("This is M ρ_C: the static moment is the vector product [n, ρ_C] M.", "[m*e, 0, m*c]"),
            assignments.Mistake("This is M ρ_C: the static moment is the vector product [n, ρ_C] M.", "[m*e, 0, 0]"),
            assignments.Mistake("The mass is missing.", "[0, e, 0]"),
        ],
    ),
    assignments.Matrix(
        name="q2",
        text="The inertia tensor of the rotor at O, body axes.",
        answer=STEINER,
        unit="kg m²",
        points=3,
        mistakes=[
            assignments.Mistake("pole", "[[1/5, 0, Jxz], [0, 1/4, 0], [Jxz, 0, 1/10]]"),
            assignments.Mistake(
                "Mind the sign of the product of inertia in Steiner's theorem: J_xz = −∫xz dm.",
                STEINER.replace("Jxz - m*e*c", "Jxz + m*e*c"),
                credit=0.5,
            ),
        ],
    ),
    assignments.Vector(
        name="q3",
        text="The deviation moment D of the rotor for the pole O and the axis z, at q = 0.",
        answer="[Jxz - m*e*c, 0, 0]",
        unit="kg m²",
        points=2,
        mistakes=[
            assignments.Mistake("pole", "[Jxz, 0, 0]", credit=0.25),
            assignments.Mistake(
                "This is the whole inertia moment: take its axial part away.", "[Jxz - m*e*c, 0, 1/10 + m*e**2]"
            ),
            assignments.Mistake("Mind the sign of the product of inertia in Steiner's theorem.", "[Jxz + m*e*c, 0, 0]"),
        ],
    ),
    assignments.Symbolic(
        name="q4",
        text="The kinetic part of the force of the bearing on the rotor, in m, e, omega and alpha, at q = 0.",
        answer="[-m*e*omega**2, m*e*alpha, 0]",
        letters=dict.fromkeys(("m", "e", "omega", "alpha")),
        points=2,
        mistakes=[
            assignments.Mistake(
                "This is the pressure on the bearing: asked is the force on the rotor.",
                "[m*e*omega**2, -m*e*alpha, 0]",
                credit=0.5,
            ),
        ],
    ),
    assignments.Vector(
        name="q5",
        text="The kinetic part of the bearing's moment on the rotor at O for ω = omega and ω̇ = 5 rad/s², at q = 0.",
        answer="[5*(Jxz - m*e*c), omega**2*(Jxz - m*e*c), 0]",
        unit="N m",
        points=3,
        mistakes=[
            assignments.Mistake("pole", "[5*Jxz, omega**2*Jxz, 0]", credit=0.25),
            assignments.Mistake("effort", "[5*(Jxz - m*e*c), omega**2*(Jxz - m*e*c), 5*(1/10 + m*e**2)]", credit=0.5),
        ],
    ),
    assignments.FreeChoice(
        name="q6",
        text="Masses m1 at (x1, 0, −0.2 m) and m2 at (x2, 0, 0.3 m) that balance the rotor.",
        choose={"m1": [0, 10], "x1": [-0.3, 0.3], "m2": [0, 10], "x2": [-0.3, 0.3]},
        conditions={
            "m*e + m1*x1 + m2*x2": "The static moment is not zero yet.",
            "Jxz - m*e*c + m1*x1/5 - 3*m2*x2/10": "The deviation moment is not zero yet.",
        },
        tolerance=2e-4,
        points=4,
    ),
]

# %% [markdown]
# ## 1 Static moment
# The static moment $\vec S_z = [\vec z, \vec\rho_C] M$ for the pole $O$, as a vector in kg m. *(2 points)*

# %% [answer q1]
q1 = ""
### BEGIN SOLUTION
moments = mb.mass_moments(model, "rotor", "z")
q1 = moments.static.evaluate(q=[0])
### END SOLUTION

# %% [markdown]
# ## 2 Inertia tensor
# The inertia tensor at $O$ in body axes, in kg m². At the mass centre it is
# $\begin{pmatrix} 0.2 & 0 & J_{xz} \\ 0 & 0.25 & 0 \\ J_{xz} & 0 & 0.1 \end{pmatrix}$. *(3 points)*

# %% [answer q2]
q2 = ""
### BEGIN SOLUTION
columns = [mb.mass_moments(model, "rotor", axis, axes="body").inertia.evaluate() for axis in "xyz"]
q2 = [[float(columns[j][i]) for j in range(3)] for i in range(3)]
### END SOLUTION

# %% [markdown]
# ## 3 Deviation moment
# The deviation moment $\vec D_z$ for the pole $O$, in kg m². *(2 points)*

# %% [answer q3]
q3 = ""
### BEGIN SOLUTION
q3 = moments.deviation.evaluate(q=[0])
### END SOLUTION

# %% [markdown]
# ## 4 Kinetic force
# The rotor turns with the angular velocity `omega` and the angular acceleration `alpha`. Write the kinetic part of the
# force of the bearing on the rotor at $q = 0$ as a formula in `m`, `e`, `omega`, `alpha`. *(2 points)*

# %% [answer q4]
q4 = ""
### BEGIN SOLUTION
q4 = "[-m*e*omega**2, m*e*alpha, 0]"
### END SOLUTION

# %% [markdown]
# ## 5 Kinetic moment
# The kinetic part of the bearing's moment on the rotor at $O$, at $q = 0$, with your `omega` and
# $\dot\omega = 5\ \mathrm{rad/s^2}$, without the driving moment about $z$; in N m. *(3 points)*

# %% [answer q5]
q5 = ""
### BEGIN SOLUTION
kinetic = mb.reactions(model, "rotor").moment.kinetic
q5 = kinetic.evaluate(q=[0], u=[float(variant.values["omega"])], ud=[5])
### END SOLUTION

# %% [markdown]
# ## 6 Balance it
# Fix a mass `m1` at $(x_1, 0, -0.2\ \mathrm m)$ and a mass `m2` at $(x_2, 0, 0.3\ \mathrm m)$ so that both moments
# vanish. Masses up to 10 kg, within 0.3 m of the axis. Write `"m1 = …, x1 = …, m2 = …, x2 = …"`. *(4 points)*

# %% [answer q6]
q6 = ""
### BEGIN SOLUTION
found = mb.balance(model, "rotor", planes=(-0.2, 0.3))
(m1, m2), (p1, p2) = found.masses(0.1), found.points(0.1)
q6 = {"m1": m1, "x1": p1[0], "m2": m2, "x2": p2[0]}
### END SOLUTION
