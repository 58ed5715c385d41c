package dev.flowstone.kernel.state;

import java.util.List;

/**
 * An open human task as a border shows it.
 *
 * @param due what happens if nobody decides, and when; by name
 */
public record OpenHumanTask(HumanTaskState task, List<TimerState> due) {
    public OpenHumanTask {
        due = List.copyOf(due);
    }
}
