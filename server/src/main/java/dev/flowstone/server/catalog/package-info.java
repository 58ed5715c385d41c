/** The catalog of connectors and actions as a node uses it: tells it what it has, heeds what operators turned off. */
@NullMarked
package dev.flowstone.server.catalog;

import org.jspecify.annotations.NullMarked;
