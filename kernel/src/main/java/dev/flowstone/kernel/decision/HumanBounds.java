package dev.flowstone.kernel.decision;

/**
 * Bounds on the people of one human task's visit (R13), so that the lists in a task's state are walked freely.
 *
 * @param assignees that are asked at once; beyond, the task fails ({@code TOO_MANY_ASSIGNEES}) or the call is refused
 * @param decisions that are made; more than who is asked may decide where a role is asked or somebody overrides
 */
public record HumanBounds(int assignees, int decisions) {
    public static final HumanBounds DEFAULT = new HumanBounds(1_000, 1_000);
}
