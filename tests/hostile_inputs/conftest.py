from helpers.hostile import table


def pytest_terminal_summary(terminalreporter):
    reports = [
        report
        for outcome in ("passed", "failed")
        for report in terminalreporter.stats.get(outcome, ())
        if any(name == "hostile" for name, _ in report.user_properties)
    ]
    if reports:
        terminalreporter.section("hostile inputs")
        for line in table(reports):
            terminalreporter.write_line(line)
