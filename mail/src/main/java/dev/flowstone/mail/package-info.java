/**
 * E-mail over SMTP as a connector (dataflow.md §7.7): {@code email.send}. Either all recipients are given a message or none, each once;
 * what workflows fill in breaks out of no header.
 *
 * <pre>
 *   Email ──EmailCheck──▶ faults, each by its pointer
 *     └──Composer──▶ a MIME message ──SmtpCall──▶ the configured server
 *                                        └─ what went wrong ──SmtpFault──▶ a failure with its class
 * </pre>
 */
@NullMarked
package dev.flowstone.mail;

import org.jspecify.annotations.NullMarked;
