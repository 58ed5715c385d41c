package dev.flowstone.server.config;

import static java.util.Objects.requireNonNull;

import dev.flowstone.server.log.LogFormat;

/**
 * How the log is written.
 *
 * @param requesterEmail whether lines of runs name the e-mail address of whom they were started for
 */
public record LogConfig(LogFormat format, boolean requesterEmail) {
    public LogConfig {
        requireNonNull(format);
    }
}
