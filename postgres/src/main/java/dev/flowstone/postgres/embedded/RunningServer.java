package dev.flowstone.postgres.embedded;

/**
 * A server that answers.
 *
 * @param adopted whether it was there before
 */
record RunningServer(long processId, int port, boolean adopted) {}
