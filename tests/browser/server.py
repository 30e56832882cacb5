"""A JupyterLab server for tests: on a loopback port, deaf to the user's settings, silent on the network."""

from __future__ import annotations

import json
import os
import secrets
import shutil
import signal
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request
from pathlib import Path
from typing import Self

# Settings of the throw-away user: all cells are in the page, on screen or not; nothing asks, nothing fetches.
SETTINGS = {
    "@jupyterlab/notebook-extension/tracker": {"windowingMode": "none"},
    "@jupyterlab/apputils-extension/notification": {"fetchNews": "false", "checkForUpdates": False},
}


# What the environment brings and the tests do not want in the page.
DISABLED = {"disabledExtensions": {"@jupyter/nbgrader": True}}


class LabServer:
    """A JupyterLab on a free loopback port, on a copy of `notebooks`, deaf to the settings of the user."""

    status = "/api/status"

    def __init__(self, notebooks: Path, home: Path) -> None:
        self.home = home
        self.root = home / "root"
        self.token = secrets.token_hex(16)
        if notebooks.is_dir():
            shutil.copytree(notebooks, self.root, ignore=shutil.ignore_patterns(".ipynb_checkpoints"))
        else:
            self.root.mkdir(parents=True)

    def __enter__(self) -> Self:
        for name, settings in SETTINGS.items():
            path = self.home / "settings" / f"{name}.jupyterlab-settings"
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(json.dumps(settings))
        page = self.home / "config" / "labconfig" / "page_config.json"
        page.parent.mkdir(parents=True, exist_ok=True)
        page.write_text(json.dumps(DISABLED))
        with socket.socket() as probe:
            probe.bind(("127.0.0.1", 0))
            port = probe.getsockname()[1]
        self.url = f"http://127.0.0.1:{port}"
        self.log = self.home / "server.log"
        command = [sys.executable, "-m", *self.command(port)]
        environment = os.environ | {
            "JUPYTER_TOKEN": self.token,
            "JUPYTER_CONFIG_DIR": f"{self.home}/config",
            "JUPYTER_DATA_DIR": f"{self.home}/data",
            "JUPYTER_RUNTIME_DIR": f"{self.home}/runtime",
            "JUPYTERLAB_SETTINGS_DIR": f"{self.home}/settings",
            "JUPYTERLAB_WORKSPACES_DIR": f"{self.home}/workspaces",
            "IPYTHONDIR": f"{self.home}/ipython",
        }
        with self.log.open("wb") as log:
            self._process = subprocess.Popen(command, env=environment, stdout=log, stderr=log, start_new_session=True)
        try:
            self._wait_until_up(60)
        except BaseException:
            self.__exit__()
            raise
        return self

    def command(self, port: int) -> list[str]:
        """The module and its options."""
        return [
            *("jupyterlab", *self.jupyter_options(port)),
            "--MappingKernelManager.kernel_info_timeout=600",
            "--LabApp.expose_app_in_browser=True",
            "--LabApp.extension_manager=readonly",
            "--LabApp.news_url=None",
            "--LabApp.check_for_updates_class=jupyterlab.NeverCheckForUpdate",
        ]

    def jupyter_options(self, port: int) -> list[str]:
        """What every server of Jupyter is told: where it listens, what it serves."""
        return [
            *("--no-browser", "--allow-root"),
            "--ServerApp.ip=127.0.0.1",
            f"--ServerApp.port={port}",
            "--ServerApp.port_retries=0",
            f"--ServerApp.root_dir={self.root}",
            "--ServerApp.terminals_enabled=False",
        ]

    def _wait_until_up(self, timeout: float) -> None:
        deadline = time.monotonic() + timeout
        while time.monotonic() < deadline and self._process.poll() is None:
            try:
                urllib.request.urlopen(f"{self.url}{self.status}?token={self.token}", timeout=5).close()
            except (urllib.error.URLError, OSError):
                time.sleep(0.1)
            else:
                return
        tail = self.log.read_text(errors="replace")[-3000:]
        raise RuntimeError(f"JupyterLab did not start within {timeout} s:\n{tail}")

    def __exit__(self, *_: object) -> None:
        self._process.terminate()
        try:
            self._process.wait(15)
        except subprocess.TimeoutExpired:
            os.killpg(self._process.pid, signal.SIGKILL)
            self._process.wait(5)


class NotebookServer(LabServer):
    """Notebook 7."""

    def command(self, port: int) -> list[str]:
        return [
            *("notebook", *self.jupyter_options(port)),
            "--JupyterNotebookApp.expose_app_in_browser=True",
            "--LabApp.check_for_updates_class=jupyterlab.NeverCheckForUpdate",
        ]


class VoilaServer(LabServer):
    """Voilà: a notebook as a page of its own, with a kernel and without the code."""

    status = "/"

    def command(self, port: int) -> list[str]:
        return ["voila", str(self.root), "--no-browser", f"--port={port}", "--Voila.ip=127.0.0.1", "--port_retries=0"]
