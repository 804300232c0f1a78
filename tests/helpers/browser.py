"""A headless Chromium, controlled by its DevTools protocol, that types, reads and takes screenshots."""

import asyncio
import base64
import contextlib
import json
import subprocess
import time

from helpers.pages import chromium

KEYS = {"Tab": 9, "Enter": 13, " ": 32}
CONTROL = 2


class Browser:
    """A page in a browser. Its methods wait until the browser has answered."""

    def __init__(self, runner, socket):
        self._runner = runner
        self._socket = socket
        self._number = 0
        self.messages = []
        """What the page has logged, errors of its policy included."""

    def open(self, url, width=1280, height=900, scheme="light"):
        metrics = {"width": width, "height": height, "deviceScaleFactor": 1, "mobile": False}
        self._call("Emulation.setDeviceMetricsOverride", **metrics)
        self._call("Emulation.setEmulatedMedia", features=[{"name": "prefers-color-scheme", "value": scheme}])
        self._call("Log.enable")
        self._call("Runtime.enable")
        self._call("Page.enable")
        self.messages.clear()
        self._call("Page.navigate", url=url)
        self.wait("document.readyState === 'complete'")

    def type(self, text):
        self._call("Input.insertText", text=text)

    def press(self, key, modifiers=0):
        code = {"key": key, "code": key, "windowsVirtualKeyCode": KEYS[key], "modifiers": modifiers}
        text = {"Enter": "\r", " ": " "}.get(key)
        self._call("Input.dispatchKeyEvent", type="keyDown", **code, **({"text": text} if text else {}))
        self._call("Input.dispatchKeyEvent", type="keyUp", **code)

    def evaluate(self, expression):
        found = self._call("Runtime.evaluate", expression=expression, returnByValue=True, awaitPromise=True)
        assert "exceptionDetails" not in found, found
        return found["result"].get("value")

    def wait(self, expression, seconds=30):
        end = time.monotonic() + seconds
        while not self.evaluate(f"Boolean({expression})"):
            assert time.monotonic() < end, (expression, self.messages, self.evaluate("document.body.innerText"))
            time.sleep(0.05)

    def picture(self, path):
        found = self._call("Page.captureScreenshot", captureBeyondViewport=True)
        path.write_bytes(base64.b64decode(found["data"]))

    def _call(self, method, **params):
        return self._runner.run(self._called(method, params))

    async def _called(self, method, params):
        self._number += 1
        await self._socket.send_json({"id": self._number, "method": method, "params": params})
        async with asyncio.timeout(60):
            while True:
                message = json.loads((await self._socket.receive()).data)
                if message.get("id") == self._number:
                    assert "error" not in message, message
                    return message["result"]
                if message["method"] in ("Log.entryAdded", "Runtime.exceptionThrown", "Runtime.consoleAPICalled"):
                    self.messages.append(json.dumps(message["params"]))


@contextlib.contextmanager
def browser(folder):
    """Starts a browser with a profile in a new folder."""
    options = ["--headless", "--no-sandbox", "--disable-gpu", "--remote-debugging-port=0", f"--user-data-dir={folder}"]
    process = subprocess.Popen(
        [chromium(), *options, "about:blank"], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
    )
    try:
        with asyncio.Runner() as runner:
            session, socket = runner.run(_connected(folder / "DevToolsActivePort"))
            try:
                yield Browser(runner, socket)
            finally:
                runner.run(session.close())
    finally:
        process.kill()
        process.wait()


async def _connected(port_file):
    import aiohttp

    async with asyncio.timeout(60):
        while not port_file.exists() or not port_file.read_text().strip():
            await asyncio.sleep(0.1)
    session = aiohttp.ClientSession()
    port = port_file.read_text().split()[0]
    async with session.get(f"http://127.0.0.1:{port}/json") as response:
        targets = await response.json()
    (page,) = [target for target in targets if target["type"] == "page"]
    return session, await session.ws_connect(page["webSocketDebuggerUrl"], max_msg_size=0)
