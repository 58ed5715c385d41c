package dev.flowstone.server.health;

import static java.util.Objects.requireNonNull;

/**
 * One thing that is looked at.
 *
 * @param name with its unit, where it has one
 * @param value as it is
 * @param limit as it should be, at most or at least
 * @param detail which one it is, if there are several; may be empty
 * @param advice what to do if it isn't well
 */
public record HealthItem(String name, HealthStatus status, double value, double limit, String detail, String advice) {
    private static final int WORSE = 10;

    public HealthItem {
        requireNonNull(name);
        requireNonNull(status);
        requireNonNull(detail);
        requireNonNull(advice);
    }

    /** Beyond the limit a warning, beyond ten times the limit worse; where nothing at all is well, always a warning. */
    static HealthItem most(String name, double value, double limit, String detail, String advice) {
        HealthStatus status = value <= limit
                ? HealthStatus.OK
                : limit > 0 && value > WORSE * limit ? HealthStatus.FAIL : HealthStatus.WARN;
        return new HealthItem(name, status, value, limit, detail, advice);
    }

    /** Below the limit a warning, below a tenth of it worse. */
    static HealthItem least(String name, double value, double limit, String detail, String advice) {
        HealthStatus status =
                value >= limit ? HealthStatus.OK : value < limit / WORSE ? HealthStatus.FAIL : HealthStatus.WARN;
        return new HealthItem(name, status, value, limit, detail, advice);
    }

    /** What must be so. */
    static HealthItem must(String name, boolean is, String advice) {
        return new HealthItem(name, is ? HealthStatus.OK : HealthStatus.FAIL, is ? 1 : 0, 1, "", advice);
    }
}
