@NullMarked
package dev.flowstone.action;

import org.jspecify.annotations.NullMarked;
