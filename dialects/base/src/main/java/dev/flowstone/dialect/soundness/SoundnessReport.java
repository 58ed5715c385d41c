package dev.flowstone.dialect.soundness;

import java.util.List;

/**
 * What a walk found.
 *
 * @param complete whether every marking was looked at; if not, only deadlocks are reported, and there may be more
 * @param markings how many were looked at
 */
public record SoundnessReport(boolean complete, int markings, List<Finding> findings) {
    public SoundnessReport {
        findings = List.copyOf(findings);
    }
}
