"""The command `winnable`. One small module for each group of commands; see `app.COMMANDS`."""


def main() -> None:
    """Runs the command line, and never returns."""
    from winnable.cli.app import run

    run()
