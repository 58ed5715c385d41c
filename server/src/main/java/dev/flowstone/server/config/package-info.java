/**
 * Everything that can be set, area by area ({@link dev.flowstone.server.config.Settings}), and where a value comes from:
 * a flag, else the environment, else the file, else the default. What the rest of the house sees is typed
 * ({@link dev.flowstone.server.config.FlowstoneConfig}).
 */
@NullMarked
package dev.flowstone.server.config;

import org.jspecify.annotations.NullMarked;
