package dev.flowstone.action;

import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A semantic version (dataflow.md §7.6). A patch mends, a minor adds what workflows need not know; both keep the action's id. A
 * major breaks something, and has an id of its own from 2 on.
 */
public record ActionVersion(int major, int minor, int patch) implements Comparable<ActionVersion> {
    static final ActionVersion FIRST = new ActionVersion(1, 0, 0);

    private static final Pattern WRITTEN = Pattern.compile("(0|[1-9]\\d{0,5})\\.(0|[1-9]\\d{0,5})\\.(0|[1-9]\\d{0,5})");

    public ActionVersion {
        if (major < 0 || minor < 0 || patch < 0) {
            throw new IllegalArgumentException("a version has no negative numbers");
        }
    }

    /**
     * Reads {@code MAJOR.MINOR.PATCH}.
     *
     * @throws IllegalArgumentException if it is something else
     */
    public static ActionVersion parse(String written) {
        Matcher parts = WRITTEN.matcher(written);
        if (!parts.matches()) {
            throw new IllegalArgumentException("a version is MAJOR.MINOR.PATCH, such as 1.2.0, not '" + written + "'");
        }
        return new ActionVersion(
                Integer.parseInt(parts.group(1)), Integer.parseInt(parts.group(2)), Integer.parseInt(parts.group(3)));
    }

    /** What the ids of actions of this version end with; nothing before version 2. */
    public String suffix() {
        return major < 2 ? "" : "-v" + major;
    }

    @Override
    public int compareTo(ActionVersion other) {
        int majors = Integer.compare(major, other.major);
        int minors = majors != 0 ? majors : Integer.compare(minor, other.minor);
        return minors != 0 ? minors : Integer.compare(patch, other.patch);
    }

    @Override
    public String toString() {
        return major + "." + minor + "." + patch;
    }
}
