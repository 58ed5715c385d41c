/**
 * What runs are about, as those see it who edit it (R16): documents, participants. An edit goes through {@link
 * dev.flowstone.engine.subject.Subjects}, which judges it by the edit window that the subject's runs have left, whether or
 * not an engine is up.
 */
@NullMarked
package dev.flowstone.engine.subject;

import org.jspecify.annotations.NullMarked;
