"""A small compiler: kernels, written in a subset of Python, become WebAssembly and JavaScript.

**The subset.** Numbers (float, int, bool), tuples, records (named tuples), views of flat arrays of floats, and
functions known beforehand. Statements: assignment (to names, elements, whole rows; several at once), ``+=`` and its
like, ``if``, ``while``, ``for … in range(…)`` with a constant step, ``break``, ``continue``, ``return``, calls.
Expressions: arithmetic (``+ - * /``; ``//`` and ``%`` of integers by a positive constant), comparisons, ``and or not``,
``x if c else y``, ``abs min max int float``, subscripts, fields of records, slices ``a[i:j]``, ``a.shape``,
``a.reshape((m, n))``. Functions of `libm`. Globals are numbers, tuples of them, constant arrays of floats, kernels,
classes of records. Integers have 32 bits. Nothing is allocated: a kernel that needs room is given it. What is outside
is refused with its file, line and reason (`source.Untranslatable`).

**What a kernel means.** What Python would compute, to the last bit, with floats that divide by zero as IEEE 754 says
(the engine "python" runs them on NumPy's), and integers that stay below 2³¹. Loops over ranges do not leave their
counter behind; a kernel does not call itself.

**The passes.**

1. `source` reads a function's text into Python's own syntax tree.
2. `lowering` (statements, calls), with `evaluator` (expressions) and `emitter` (variables), turns the tree into the
   intermediate form for given types of arguments. Tuples, records and array headers are taken apart into scalars
   (`values`); functions are made anew for each set of types, of constant sizes and of kernels given as arguments; small
   ones are written out in place of their calls, larger ones once in a function at most, and so are short loops. What a
   function does not read of its arguments is not handed to it. A variable whose type turns out to be wider starts the
   function anew. Sums of integers are folded, so that addresses are a variable and a constant.
3. `ir` is that form: typed expressions without effects, statements that load, store, call and branch in blocks.
4. `module` gathers the functions that the entry points need (`entries`), those that say the same once, and the constant
   arrays.
5. `tangent` makes a function over dual numbers of one: values and their derivatives along a direction.
6. `tidy` writes values where their only reader is, and leaves out what nobody reads.
7. `wasm` writes the form as a WebAssembly binary, `javascript` as an ES module. Common subexpressions, hoisting and
   registers are left to the machine that runs them, which is good at it.

Two back ends, and the Python source itself, hold each other: tests run random programs and every kernel on all three
and compare bits. `tools/translate.py` writes the products; a test makes them anew and compares.
"""
