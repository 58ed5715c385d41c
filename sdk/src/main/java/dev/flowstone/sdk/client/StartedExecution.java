package dev.flowstone.sdk.client;

/**
 * An execution that is on disk.
 *
 * @param status as it was then
 * @param created false if its request id had started it before
 * @param requestId that it was started under
 */
public record StartedExecution(String executionId, ExecutionStatus status, boolean created, String requestId) {}
