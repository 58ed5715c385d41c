package dev.flowstone.testkit.simulation.progress;

import dev.flowstone.testkit.simulation.world.Step;
import java.util.List;

/** What happens by itself. */
public sealed interface Progress extends Step
        permits StepNode, WorkHandler, WorkOutside, WorkOn, ArriveMessage, PassTime {
    /** All of it. */
    List<Progress> ALL = List.of(
            new StepNode(), new WorkHandler(), new WorkOutside(), new WorkOn(), new ArriveMessage(), new PassTime());
}
