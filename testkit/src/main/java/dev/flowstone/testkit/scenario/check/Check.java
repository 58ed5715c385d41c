package dev.flowstone.testkit.scenario.check;

import java.util.List;

/** One thing that is expected of a run. */
public sealed interface Check
        permits CallsCheck,
                ChildrenCheck,
                ErrorCheck,
                EventsCheck,
                ListingCheck,
                NodesCheck,
                OutputCheck,
                PathCheck,
                ProgressCheck,
                ResetFromCheck,
                ResumeCheck,
                SignalsCheck,
                StatusCheck,
                SubjectCheck,
                TimersCheck,
                TimeCheck,
                VariablesCheck {
    /** How the run differs, one line each, for a person; empty if it is as expected. */
    List<String> differences(Observed run);
}
