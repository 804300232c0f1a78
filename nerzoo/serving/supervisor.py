from uvicorn.supervisors import Multiprocess


class Supervisor(Multiprocess):
    """Starts the workers of a server, and replaces one that has died, or gives no sign of life in time."""

    def keep_subprocess_alive(self) -> None:
        """Replaces workers. uvicorn calls this twice a second."""
        # uvicorn leaves the worker's end of the pipe open in this process, too. It would wait all of the time for an
        # answer from a worker that died after it was asked, since nobody else is there to close that end.
        for process in self.processes:
            process.child_conn.close()
        super().keep_subprocess_alive()
