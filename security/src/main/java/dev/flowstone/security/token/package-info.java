/**
 * Who a signed token names. A token is a compact JWS (RFC 7515) with the claims of a JWT (RFC 7519); what it may be is the
 * configuration's business, never the token's: algorithms, keys, issuer and audience are those of {@link
 * dev.flowstone.security.token.TokenRules} and {@link dev.flowstone.security.token.JwkSource} (docs/adr/0035-who-calls.md).
 *
 * <pre>
 *  text ─▶ CompactJws ─▶ KeySet.fitting ─▶ VerificationKey.verifies ─▶ Claims ─▶ Token
 *            │ form, header    │ one key, by kid      │ signature          │ issuer, audience, time, tenant
 *            └────────────────┴──────────────────────┴───────────────────┴──▶ Refusal
 * </pre>
 */
@NullMarked
package dev.flowstone.security.token;

import org.jspecify.annotations.NullMarked;
