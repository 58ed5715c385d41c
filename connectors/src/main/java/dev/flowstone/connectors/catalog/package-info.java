/** What a node tells the deployment's catalog: every action that its workflows may name, on this SPI or not. */
@NullMarked
package dev.flowstone.connectors.catalog;

import org.jspecify.annotations.NullMarked;
