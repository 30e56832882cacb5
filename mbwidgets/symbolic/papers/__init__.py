"""The papers' results, a module each.

1 (Cajić, Lazarević): `motion_vectors`, `mass_moments`, `rotators`, `lumped_rotators`, `reactions`, `balance`,
`volume_integrals`. 2 (Do Sanh): `release`. 3 (Marković, Obradović): `covariant`, `opnchain`, `opnchain_literal`.
4 (Chebanov, Khlistunova): `augmented`, `kharlamov`, `permanent`. 5 (Tătaru): `constrained`, `body_equations`. What the
papers print and what holds: `errata`. Imports all other rooms.
"""
