/**
 * Requests checked by the rules that their schema gives, by protovalidate: {@code
 * (buf.validate.field)} and the like.
 *
 * <p>What does not belong here: rules of our own, and statuses with details, which {@code
 * dev.gannet.status} has.
 */
@NullMarked
package dev.gannet.validation;

import org.jspecify.annotations.NullMarked;
