/** The actions on this SPI that every Flowstone has. */
@NullMarked
package dev.flowstone.connectors.core;

import org.jspecify.annotations.NullMarked;
