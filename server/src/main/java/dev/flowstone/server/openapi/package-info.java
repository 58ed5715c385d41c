/**
 * The API's document (OpenAPI 3.1). It says what the routes declare: the same declarations that the border checks calls by, so
 * that document and behaviour can't part. Only the shapes of bodies stand apart, in {@code *.json} beside this package; the
 * tests hold every answer of theirs against them.
 */
@NullMarked
package dev.flowstone.server.openapi;

import org.jspecify.annotations.NullMarked;
