/**
 * JSON as data: immutable values, one strict parser, one canonical writer. Every byte of JSON that Flowstone reads,
 * stores or hashes goes through here, so that there is one answer to "is this valid" and one to "what is its hash".
 *
 * <pre>
 *   bytes ── JsonParser ──▶ JsonValue ── CanonicalJson ──▶ bytes
 *               │               │            exact: stored and hashed
 *               │               │            strict: RFC 8785
 *               │               └─ JsonCursor ──▶ a codec's own types, or a fault with its JSON pointer
 *               └─ JsonParser.Located: the line and column of every pointer
 * </pre>
 *
 * <p><b>Numbers</b> are decimals, never doubles: what came in goes out, digit by digit.
 *
 * <p><b>Text</b> is any text that has a UTF-8 form. A lone surrogate has none: the parser refuses it, raw or escaped, and
 * so do {@link dev.flowstone.kernel.json.JsonString} and {@link dev.flowstone.kernel.json.JsonObject}. U+0000 is text: it
 * is accepted (as the escape that JSON demands) and comes back, because values are stored as bytes. Who copies a value
 * into a PostgreSQL {@code text} or {@code jsonb}, which can't hold U+0000, must deal with it there. Ids refuse all
 * control characters ({@code kernel.id}). Nothing is normalised: two spellings of "é" are two strings.
 *
 * <p><b>Depth.</b> Reading and writing use no stack per level. {@code equals}, {@code hashCode} and {@code toString} of
 * values do; they are safe for whatever passed {@link dev.flowstone.kernel.json.JsonLimits#DEFAULT}.
 */
@NullMarked
package dev.flowstone.kernel.json;

import org.jspecify.annotations.NullMarked;
