package dev.flowstone.server.deploy;

/**
 * What whoever applies wants besides.
 *
 * @param prune that what is gone from the folder is removed
 * @param overwrite that what others made or changed becomes as the folder says
 */
public record Wishes(boolean prune, boolean overwrite) {}
