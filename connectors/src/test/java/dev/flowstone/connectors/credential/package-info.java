@NullMarked
package dev.flowstone.connectors.credential;

import org.jspecify.annotations.NullMarked;
