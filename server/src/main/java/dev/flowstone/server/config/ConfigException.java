package dev.flowstone.server.config;

/** A setting that can't be understood: which, where it was given, and what it takes. */
public final class ConfigException extends Exception {
    private static final long serialVersionUID = 1L;

    public ConfigException(String message) {
        super(message);
    }
}
