@NullMarked
package dev.flowstone.connectors.core;

import org.jspecify.annotations.NullMarked;
