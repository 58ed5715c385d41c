package dev.flowstone.engine.journal;

import dev.flowstone.kernel.id.RunId;
import dev.flowstone.kernel.id.Sha256;
import dev.flowstone.kernel.json.JsonObject;
import java.time.Instant;

/**
 * What was answered to a mutation that was accepted; rejections leave none.
 *
 * @param request hash of what was asked
 * @param answer what the caller was told
 * @param expiresAt end of its declared lifetime
 */
public record Receipt(ReceiptKey key, Sha256 request, RunId run, JsonObject answer, Instant expiresAt) {}
