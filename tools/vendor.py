"""Fetch the JavaScript of exported pages from npm, at pinned versions, and keep it small: ``make vendor``.

What comes is checked against the hash below, cut to what a page needs, cleared of addresses that a page could load
from, and written to ``mbwidgets/export/page/static`` as gzip, as the page takes it; what a page needs last and is
largest as LZMA, which the page unpacks itself. The licences go beside it. The same
input gives the same bytes: a test unpacks them and compares with ``vendored.json``.
"""

from __future__ import annotations

import base64
import hashlib
import io
import json
import lzma
import re
import sys
import tarfile
import urllib.request
from importlib.metadata import distribution
from pathlib import Path
from typing import Final

from mbwidgets.export.page.pack_code import pack_text

STATIC: Final = Path(__file__).resolve().parents[1] / "mbwidgets" / "export" / "page" / "static"
REGISTRY: Final = "https://registry.npmjs.org"

PACKAGES: Final = {
    "@jupyter-widgets/html-manager": (
        "1.0.15",
        "5thBIV6ymNgmPVOHvzx+gGy8ZSKmSazhtGw4/c4xJDVzRhG9PTeQsRjF3FUTopvFi//SABeNz1yp47bCrJ3CQA==",
    ),
    "@jupyter-widgets/controls": (
        "5.0.13",
        "MwPGtaW9h0PLVq00qISc6YV3GAdDflSsBmZy+4qNcXZQ0S9hLWaGuk9c0W6raFBXKpqV0F26c6CizVQDu+/ocA==",
    ),
    "anywidget": (
        "0.11.0",
        "LHZgW2j5UjyerZSZcO+BtZPXGMSORQV2bUT480hOR5x/BXS8sOradi/71amJfMueSEnKX0dqPwTfsOGHTsyZpQ==",
    ),
    "jupyter-threejs": (
        "2.4.1",
        "AFoYllRmV5Hy1Hbyq8NR09KXiFE+9qQ4zPlKW5RAzkRjdvO56rWM4hzSKNSnW/GH/8FcqMVE2SnGHOP/ZmFwSw==",
    ),
    "mathjax": (
        "3.2.2",
        "Bt+SSVU8eBG27zChVewOicYs7Xsdt40qm4+UpHyX7k0/O9NliPc+x77k1/FEsPsjKPZGJvtRZM1vO+geW0OhGw==",
    ),
}
"""Version and sha512 of each tarball, as the registry gives them."""

MATHJAX: Final = (
    "startup.js",
    "core.js",
    "input/tex-full.js",
    "output/svg.js",
    "output/svg/fonts/tex.js",
    "ui/safe.js",
)
DENSE: Final = ("mathjax.js",)
"""What is packed by LZMA: it takes a fifth less, and 0.1 s to unpack, when the picture is already there."""
STYLES: Final = ("materialcolors.css", "labvariables.css", "lumino.css", "nouislider.css", "widgets-base.css")
ELSEWHERE: Final = re.compile(
    r"https?://(?:cdn\.|cdnjs\.|unpkg\.|fonts\.)[^\s\"'`)]*|https?:\\?/\\?/[^\s\"'`)]*jsdelivr[^\s\"'`)]*"
)
"""Addresses that a script would load from. What cannot be asked for must not be there."""


def fetch(name: str) -> dict[str, bytes]:
    """The files of a package, by their path in it."""
    version, expected = PACKAGES[name]
    url = f"{REGISTRY}/{name}/-/{name.rsplit('/', 1)[-1]}-{version}.tgz"
    with urllib.request.urlopen(url, timeout=120) as answer:
        content = answer.read()
    found = base64.b64encode(hashlib.sha512(content).digest()).decode()
    if found != expected:
        sys.exit(f"{url}: sha512 is {found}, expected {expected}")
    with tarfile.open(fileobj=io.BytesIO(content), mode="r:gz") as archive:
        members = [member for member in archive.getmembers() if member.isfile()]
        return {member.name.split("/", 1)[1]: archive.extractfile(member).read() for member in members}  # type: ignore[union-attr]


def one_module(source: str, name: str) -> str:
    """One ``define("name", …)`` of a file that holds several."""
    start = source.index(f'define("{name}",')
    end = source.find('\ndefine("', start + 1)
    part = source[start : end if end > 0 else len(source)]
    return part[: part.index("//# sourceMappingURL")]


def styles(files: dict[str, bytes]) -> str:
    """The style sheets of the controls as one, with nothing to import."""
    text = "\n".join(files[f"css/{name}"].decode() for name in STYLES)
    return re.sub(r"@import[^;]*;", "", re.sub(r"/\*.*?\*/", "", text, flags=re.DOTALL))


def patient(source: str) -> str:
    """anywidget gives up on a widget after two seconds; an old laptop may need more for a whole page."""
    if source.count("AbortSignal.timeout(2e3)") != 1:
        sys.exit("anywidget: the two seconds are not where they were")
    return source.replace("AbortSignal.timeout(2e3)", "AbortSignal.timeout(6e4)")


def assemble(packages: dict[str, dict[str, bytes]]) -> dict[str, str]:
    """The files of ``static``, by name."""
    widgets = packages["@jupyter-widgets/html-manager"]["dist/embed-amd.js"].decode()
    mathjax = packages["mathjax"]
    parts = {
        "base.js": one_module(widgets, "@jupyter-widgets/base"),
        "controls.js": one_module(widgets, "@jupyter-widgets/controls"),
        "anywidget.js": patient(packages["anywidget"]["dist/index.js"].decode()),
        "threejs.js": packages["jupyter-threejs"]["dist/index.js"].decode(),
        "mathjax.js": "\n".join(mathjax[f"es5/{name}"].decode() for name in MATHJAX),
        "widgets.css": styles(packages["@jupyter-widgets/controls"]),
    }
    return {name: ELSEWHERE.sub("about:blank", text) for name, text in parts.items()}


def pack(content: bytes) -> bytes:
    """As small as gzip can be: zopfli, which this tool asks for and nothing else, takes a twentieth less."""
    try:
        from zopfli.gzip import compress
    except ImportError:
        sys.exit("pip install zopfli, and again")
    return bytes(compress(content))


def pack_densely(text: str) -> bytes:
    """As small as LZMA can be."""
    return pack_text(text, 9 | lzma.PRESET_EXTREME)


def licences(packages: dict[str, dict[str, bytes]]) -> str:
    """Whose work it is, and on what terms."""
    own = distribution("ipywidgets")
    jupyter = own.read_text("licenses/LICENSE") or own.read_text("LICENSE") or sys.exit("no licence of ipywidgets")
    mit = packages["anywidget"]["LICENSE"].decode()
    texts = {
        "@jupyter-widgets/base and @jupyter-widgets/controls": jupyter,
        "inside them": packages["@jupyter-widgets/html-manager"]["dist/embed.js.LICENSE.txt"].decode(),
        "jupyter-threejs": packages["jupyter-threejs"]["LICENSE"].decode(),
        "inside it: three.js": re.sub(r"Copyright \(c\).*", "Copyright (c) 2010-2018 three.js authors", mit, count=1),
        "inside it: others": packages["jupyter-threejs"]["dist/index.js.LICENSE.txt"].decode(),
        "anywidget": mit,
        "MathJax": packages["mathjax"]["LICENSE"].decode(),
    }
    return "\n\n".join(f"{'=' * 78}\n{name}\n{'=' * 78}\n{text.strip()}" for name, text in texts.items()) + "\n"


def main() -> None:
    packages = {name: fetch(name) for name in PACKAGES}
    STATIC.mkdir(parents=True, exist_ok=True)
    files = {}
    for name, text in assemble(packages).items():
        packed, ending = (pack_densely(text), "lzma") if name in DENSE else (pack(text.encode()), "gz")
        (STATIC / f"{name}.{ending}").write_bytes(packed)
        files[name] = hashlib.sha256(text.encode()).hexdigest()
        print(f"{name}: {len(text) / 1024:.0f} KiB, packed {len(packed) / 1024:.0f} KiB")
    (STATIC / "LICENSES.txt").write_text(licences(packages), encoding="utf-8")
    versions = {name: version for name, (version, _) in PACKAGES.items()}
    record = {"packages": versions, "sha256": files}
    (STATIC / "vendored.json").write_text(json.dumps(record, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
