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
 * @param maxViolations how many violations a status lists
 */
record RequestCheck(Validators validators, int maxViolations, BrokenRules brokenRules) {
  /** From this size on, a request may break so many rules that all of them are too many. */
  private static final int LARGE_BYTES = 64 << 10;

  /**
   * The validators of small and of large requests.
   *
   * @param ofLarge checks requests of 64 KiB and more
   */
  record Validators(Validator ofSmall, Validator ofLarge) {
    Validator of(Message message) {
      return message.getSerializedSize() < LARGE_BYTES ? ofSmall : ofLarge;
    }
  }

  /** Why the request is refused; empty if it is not. */
  Optional<StatusException> refusal(Object request) {
    if (!(request instanceof Message message)) {
      return Optional.empty();
    }
    try {
      ValidationResult result = validators.of(message).validate(message);
      return result.isSuccess()
          ? Optional.empty()
          : Optional.of(ViolationStatus.of(result.getViolations(), maxViolations));
    } catch (ValidationException | RuntimeException | StackOverflowError e) {
      return Optional.of(unchecked(message, e));
    }
  }

  private StatusException unchecked(Message message, Throwable why) {
    String type = message.getDescriptorForType().getFullName();
    brokenRules.log(type, why);
    return Status.INTERNAL
        .withDescription("a validation rule of " + type + " cannot be checked")
        .withCause(why)
        .asException();
  }
}
