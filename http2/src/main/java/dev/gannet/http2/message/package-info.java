/**
 * What HTTP says of header lists, whatever they are used for (RFC 9113 §8): the grammar of fields,
 * which pseudo-fields a message has, how long its content is.
 *
 * <p>Verdicts are made once for each field and each list, and kept with them. Lives here: rules
 * that a list or a count alone can break. Must not live here: streams, frames, what breaking a rule
 * costs, and what gRPC means by a field.
 */
@NullMarked
package dev.gannet.http2.message;

import org.jspecify.annotations.NullMarked;
