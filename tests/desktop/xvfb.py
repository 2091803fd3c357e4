"""A screen of its own for one test run."""
import os
import shutil
import subprocess


class Screen:
    """Xvfb on a free display number; `env` is what programs on it are started with."""

    def __init__(self, size="1600x1000x24"):
        read, write = os.pipe()
        self.process = subprocess.Popen(["Xvfb", "-displayfd", str(write), "-screen", "0", size, "-nolisten", "tcp"],
                                        pass_fds=[write], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        os.close(write)
        with os.fdopen(read) as pipe:
            number = pipe.readline().strip()
        if not number:
            raise RuntimeError("Xvfb did not start")
        self.env = {**os.environ, "DISPLAY": f":{number}", "SDL_VIDEODRIVER": "x11", "LIBGL_ALWAYS_SOFTWARE": "1"}

    def close(self):
        self.process.terminate()
        self.process.wait()


def available():
    return shutil.which("Xvfb") is not None
