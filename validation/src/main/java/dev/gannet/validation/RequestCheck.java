package dev.gannet.validation;

import build.buf.protovalidate.ValidationResult;
import build.buf.protovalidate.Validator;
import build.buf.protovalidate.exceptions.ValidationException;
import com.google.protobuf.Message;
import dev.gannet.api.Status;
import dev.gannet.api.StatusException;
import java.util.Optional;

/**
 * How a request is checked.
 *
 * @param maxViolations how many violations a status tells of
 */
record RequestCheck(Validator validator, int maxViolations, BrokenRules brokenRules) {

  /** Why the request is refused; empty if it is not. */
  Optional<StatusException> refusal(Object request) {
    if (!(request instanceof Message message)) {
      return Optional.empty();
    }
    try {
      ValidationResult result = validator.validate(message);
      return result.isSuccess()
          ? Optional.empty()
          : Optional.of(ViolationStatus.of(result.getViolations(), maxViolations));
    } catch (ValidationException | RuntimeException e) {
      return Optional.of(unchecked(message, e));
    }
  }

  private StatusException unchecked(Message message, Exception why) {
    String type = message.getDescriptorForType().getFullName();
    brokenRules.log(type, why);
    return Status.INTERNAL
        .withDescription("a validation rule of " + type + " cannot be checked")
        .withCause(why)
        .asException();
  }
}
