/**
 * What bodies of document templates say: text with {@code {{ expression }}} and a few tags, in the expression language that parameters
 * have. Rendering is pure: the same body over equal data gives the same text or the same fault, on any machine, under any load.
 *
 * <pre>
 * source ──Lexer──▶ pieces ──BodyReader──▶ Body    (or every fault, with line and column)
 * Body + roots ──BodyRenderer──▶ text              (or the first fault)
 * </pre>
 */
@NullMarked
package dev.flowstone.templates.body;

import org.jspecify.annotations.NullMarked;
