# %% [markdown]
# # The pin force of a hammer crusher
#
# A drum of radius $R$ and moment of inertia $I_1$ turns about $O$ under the torque $M$; at its rim a pin $A$ carries a
# hammer of mass $m$ and central moment of inertia $I_2$, with $AC = a$. The axis $x$ points down, $y$ is horizontal;
# the angles $\varphi$ of the drum and $\theta$ of the hammer are both measured from $x$.
#
# You find the force in the pin as Do Sanh does: release the pin, write the freed system in blocks,
# $$A_0\ddot q_0 = G_0 + Q_0,\qquad R_1 = B\ddot q_0 - G_1 - Q_1,$$
# and solve the first for the accelerations and the second for the force *of the drum on the hammer*.
#
# In formulae `q[0]` is $\varphi$, `q[1]` is $\theta$, `u[0]` is $\dot\varphi$ and `u[1]` is $\dot\theta$. The printed
# paper has errata: derive, do not copy.

# %%
import mbwidgets as mb
from mbwidgets import assignments

student = "s0000000"  # your own number

# %%
plain = mb.library.hammer_crusher()
phi0, theta0 = plain.parameters["phi0"], plain.parameters["theta0"]
w_phi, w_theta = (mb.Parameter(name, 1, unit="rad/s") for name in ("w_phi", "w_theta"))
crusher = plain.replace(state={"q": [phi0, theta0 - phi0], "u": [w_phi, w_theta - w_phi]})
template = assignments.Template(
    "crusher",
    crusher,
    {
        "m": assignments.Fractions(2, 5, denominator=2),
        "R": assignments.Grid("0.30", "0.50", "0.02"),
        "a": assignments.Grid("0.15", "0.30", "0.01"),
        "M": assignments.Grid(8, 20, 1),
        "phi0": assignments.Grid("0.4", "1.2", "0.1"),
        "theta0": assignments.Grid("-0.6", "-0.1", "0.1"),
        "w_phi": assignments.Grid("1.5", 3, "0.25"),
        "w_theta": assignments.Grid("-2.5", -1, "0.25"),
    },
)
variant = assignments.Variant("mechanics", student, template)
model = variant.model
variant

# %% [markdown]
# In the drawing $q_1=\varphi$, and $q_2=\theta-\varphi$ is counted from the drum.

# %%
mb.figures.geometry(model)

# %% [key]
LETTERS = dict.fromkeys(("m", "R", "a", "I1", "I2", "M", "g", "q[0]", "q[1]", "u[0]", "u[1]"))
H1 = "(M - m*g*R*sin(phi0) - m*a*R*sin(phi0 - theta0)*w_theta**2)"
H2 = "(m*a*R*sin(phi0 - theta0)*w_phi**2 - m*g*a*sin(theta0))"
COUPLED = "m*a*R*cos(phi0 - theta0)"
DELTA = f"((I1 + m*R**2)*(I2 + m*a**2) - ({COUPLED})**2)"
PHI = f"((I2 + m*a**2)*{H1} - {COUPLED}*{H2})"
THETA = f"((I1 + m*R**2)*{H2} - {COUPLED}*{H1})"
ACROSS = f"(m*R*{PHI}/{DELTA})"
BESIDE = f"(m*a*{THETA}/{DELTA})"
DOWN = f"-sin(phi0)*{ACROSS} - sin(theta0)*{BESIDE} - m*R*cos(phi0)*w_phi**2 - m*a*cos(theta0)*w_theta**2 - m*g"
ASIDE = f"cos(phi0)*{ACROSS} + cos(theta0)*{BESIDE} - m*R*sin(phi0)*w_phi**2 - m*a*sin(theta0)*w_theta**2"
QUESTIONS = [
    assignments.Symbolic(
        name="q1",
        text="The matrix A0 of the accelerations of φ and θ.",
        answer="[[I1 + m*R**2, m*a*R*cos(q[0] - q[1])], [m*a*R*cos(q[0] - q[1]), I2 + m*a**2]]",
        letters=LETTERS,
        points=2,
        mistakes=[
            assignments.Mistake("pole", "[[I1, m*a*R*cos(q[0] - q[1])], [m*a*R*cos(q[0] - q[1]), I2]]", credit=0.25),
            assignments.Mistake(
                "The hammer's angle is measured from x here, not from the drum.",
                "[[I1 + I2 + m*(R**2 + a**2 + 2*a*R*cos(q[1])), I2 + m*a**2 + m*a*R*cos(q[1])], "
                "[I2 + m*a**2 + m*a*R*cos(q[1]), I2 + m*a**2]]",
                credit=0.5,
            ),
        ],
    ),
    assignments.Symbolic(
        name="q2",
        text="The right sides G0 + Q0, as a list.",
        answer="[M - m*g*R*sin(q[0]) - m*a*R*sin(q[0] - q[1])*u[1]**2, "
        "m*a*R*sin(q[0] - q[1])*u[0]**2 - m*g*a*sin(q[1])]",
        letters=LETTERS,
        points=3,
        mistakes=[
            assignments.Mistake(
                "This is (3.20) with its errata: derive the signs and the sine of the velocity terms.",
                "[M - m*g*R*sin(q[0]) + m*a*R*sin(q[0] - q[1])*u[1]**2, "
                "m*a*R*cos(q[0] - q[1])*u[0]**2 + m*g*a*sin(q[1])]",
            ),
            assignments.Mistake(
                "static",
                "[M - m*a*R*sin(q[0] - q[1])*u[1]**2, m*a*R*sin(q[0] - q[1])*u[0]**2]",
                credit=0.5,
            ),
        ],
    ),
    assignments.Symbolic(
        name="q3",
        text="The block B of the two released directions x and y, as a matrix.",
        answer="[[-m*R*sin(q[0]), -m*a*sin(q[1])], [m*R*cos(q[0]), m*a*cos(q[1])]]",
        letters=LETTERS,
        points=2,
        mistakes=[
            assignments.Mistake(
                "frame", "[[m*R*cos(q[0]), m*a*cos(q[1])], [m*R*sin(q[0]), m*a*sin(q[1])]]", credit=0.25
            ),
        ],
    ),
    assignments.Vector(
        name="q4",
        text="The accelerations of φ and θ in the initial state.",
        answer=f"[{PHI}/{DELTA}, {THETA}/{DELTA}]",
        unit="rad/s²",
        absolute=1e-3,
        points=3,
        mistakes=[
            assignments.Mistake("Divide by the determinant of A0.", f"[{PHI}, {THETA}]", credit=0.5),
            assignments.Mistake(
                "This is the acceleration of the hammer relative to the drum: θ is measured from x.",
                f"[{PHI}/{DELTA}, ({THETA} - {PHI})/{DELTA}]",
                credit=0.5,
            ),
        ],
    ),
    assignments.Vector(
        name="q5",
        text="The force of the drum on the hammer in the pin, components x (down) and y, in the initial state.",
        answer=f"[{DOWN}, {ASIDE}]",
        unit="N",
        points=4,
        mistakes=[
            assignments.Mistake("The weight of the hammer is missing.", f"[{DOWN} + m*g, {ASIDE}]", credit=0.5),
            assignments.Mistake(
                "frame",
                f"[cos(phi0)*({DOWN}) + sin(phi0)*({ASIDE}), cos(phi0)*({ASIDE}) - sin(phi0)*({DOWN})]",
                credit=0.5,
            ),
        ],
    ),
    assignments.FreeChoice(
        name="q6",
        text="A torque M0 for which the drum starts without angular acceleration.",
        choose={"M0": [-200, 200]},
        conditions={PHI.replace("(M - ", "(M0 - "): "The drum still has an angular acceleration at the start."},
        tolerance=1e-3,
        points=2,
    ),
]

# %% [markdown]
# ## 1 Inertia
# The matrix $A_0$ for the coordinates $\varphi, \theta$: `"[[…, …], […, …]]"` in `m`, `R`, `a`, `I1`, `I2`, `q[0]`,
# `q[1]`. *(2 points)*

# %% [answer q1]
q1 = ""
### BEGIN SOLUTION
angles = mb.library.absolute_angles(crusher)
freed = mb.release(crusher, "hammer", coordinates=angles)
q1 = freed.A0
### END SOLUTION

# %% [markdown]
# ## 2 Right sides
# The list $G_0 + Q_0$ of the first group of equations. *(3 points)*

# %% [answer q2]
q2 = ""
### BEGIN SOLUTION
q2 = freed.G0 + freed.Q0
### END SOLUTION

# %% [markdown]
# ## 3 The released directions
# The pin is released along $x$ and $y$. The block $B$ of these two rows, as a matrix. *(2 points)*

# %% [answer q3]
q3 = ""
### BEGIN SOLUTION
q3 = freed.B[:2]
### END SOLUTION

# %% [markdown]
# ## 4 Accelerations
# $\ddot\varphi$ and $\ddot\theta$ at $\varphi$ = `phi0`, $\theta$ = `theta0`, $\dot\varphi$ = `w_phi`,
# $\dot\theta$ = `w_theta` with your numbers and the others of the model (`model.values`), in rad/s². *(3 points)*

# %% [answer q4]
q4 = ""
### BEGIN SOLUTION
ud = mb.Dynamics(model).forward(model.q0, model.u0)
q4 = [ud[0], ud[0] + ud[1]]
### END SOLUTION

# %% [markdown]
# ## 5 The pin force
# The force of the drum on the hammer in the same state: components along $x$ (down) and $y$, in N. *(4 points)*

# %% [answer q5]
q5 = ""
### BEGIN SOLUTION
q5 = mb.Dynamics(model).reactions(model.q0, model.u0, ud)[1, :2]
### END SOLUTION

# %% [markdown]
# ## 6 A quiet start
# Choose the torque so that the drum starts without angular acceleration from this state: `"M0 = …"`, in N m.
# *(2 points)*

# %% [answer q6]
q6 = ""
### BEGIN SOLUTION
low, high = (mb.Dynamics(model.with_values(M=torque)).forward(model.q0, model.u0)[0] for torque in (0, 1))
q6 = {"M0": -low / (high - low)}
### END SOLUTION
