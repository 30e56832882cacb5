"""nbgrader: an answer that is cut out leaves a comment, so that the notebook still runs."""

c = get_config()  # noqa: F821
c.ClearSolutions.code_stub = {"python": "# your answer"}
c.ClearSolutions.begin_solution_delimeter = "BEGIN SOLUTION"
c.ClearSolutions.end_solution_delimeter = "END SOLUTION"
c.ClearHiddenTests.begin_test_delimeter = "BEGIN HIDDEN TESTS"
c.ClearHiddenTests.end_test_delimeter = "END HIDDEN TESTS"
