"""How kernels are run: translated to WebAssembly, or as the plain Python that they are.

`kernel` holds the marks of kernels, `engine` the choice between the engines, `wasm_engine` the one that runs the module
in ``static`` by wasmtime, `product` how that is read. `translate` is the compiler that makes it. Imports nothing of
`numeric`.
"""
