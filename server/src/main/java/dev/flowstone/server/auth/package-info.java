/**
 * How this installation tells who calls (docs/adr/0035-who-calls.md): its one secret, an issuer's tokens, or, on the loopback
 * interface, whoever is there. Where the issuer's keys come from.
 */
@NullMarked
package dev.flowstone.server.auth;

import org.jspecify.annotations.NullMarked;
