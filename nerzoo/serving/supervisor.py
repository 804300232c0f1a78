from typing import TYPE_CHECKING, Any

from nerzoo.extras import extra

if TYPE_CHECKING:
    from uvicorn.supervisors import Multiprocess


def make_supervisor(*args: Any) -> "Multiprocess":
    """
    Makes what starts the workers of a server, and replaces one that has died, or gives no sign of life in time. It
    takes what uvicorn's own one takes. Needs the extra `serve` of this package.
    """
    with extra("serve", ", which serves archives"):
        from uvicorn.supervisors import Multiprocess

    class Supervisor(Multiprocess):
        def keep_subprocess_alive(self) -> None:
            # uvicorn leaves the worker's end of the pipe open in this process, too. It would wait all of the time for
            # an answer from a worker that died after it was asked, since nobody else is there to close that end.
            for process in self.processes:
                process.child_conn.close()
            super().keep_subprocess_alive()

    return Supervisor(*args)
