@NullMarked
package dev.flowstone.mail;

import org.jspecify.annotations.NullMarked;
