package dev.flowstone.sdk.client;

/**
 * An execution that is on disk.
 *
 * @param status as it was then
 * @param created false if the caller's request id had started it before, or an attempt of this call without an answer; always true
 *     under an id that the client has made
 * @param requestId that it was started under
 */
public record StartedExecution(String executionId, ExecutionStatus status, boolean created, String requestId) {}
