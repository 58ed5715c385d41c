package dev.flowstone.kernel.program;

/** How an activation ended, as its edges see it (R8): one of the four standard ones, or one that its node declares. */
public record Outcome(String name) implements Comparable<Outcome> {
    public static final Outcome SUCCESS = new Outcome("success");
    public static final Outcome FAILURE = new Outcome("failure");
    public static final Outcome TIMEOUT = new Outcome("timeout");
    public static final Outcome DENIED = new Outcome("denied");

    /** Of an activation only: there was nothing to do; all its edges are dead (R7). */
    public static final Outcome SKIPPED = new Outcome("skipped");

    /** Of a join whose policy can't be met any more (R10). */
    public static final Outcome UNSATISFIED = new Outcome("unsatisfied");

    /** Of a call whose child was canceled or terminated. */
    public static final Outcome CANCELED = new Outcome("canceled");

    /** Of a human task whose subject changed, if its program leaves by an edge of its own then (R15). */
    public static final Outcome DRIFT = new Outcome("drift");

    /** On an edge only: matches every outcome. */
    public static final Outcome ALWAYS = new Outcome("always");

    /** Whether this is a failure, which must be handled (R9). */
    public boolean isFailure() {
        return equals(FAILURE) || equals(TIMEOUT) || equals(DENIED);
    }

    @Override
    public int compareTo(Outcome other) {
        return name.compareTo(other.name);
    }

    @Override
    public String toString() {
        return name;
    }
}
