package dev.gannet.server;

import dev.gannet.api.CallContext;
import dev.gannet.api.CallLimit;
import dev.gannet.api.Registration;
import java.lang.System.Logger;
import java.util.Objects;

/** Admits the calls that a {@link CallLimit} lets in. All methods of a server share it. */
record CustomLimit(CallLimit limit) implements Admission {
  private static final Logger LOG = System.getLogger(CustomLimit.class.getName());

  @Override
  public Answer enter(CallContext call) {
    try {
      return new Entered(Objects.requireNonNull(limit.enter(call), "enter returned null"));
    } catch (Throwable e) {
      return new Refused(ThrownRefusal.of(e, "a call limit", call.method().fullMethodName(), LOG));
    }
  }

  private record Entered(Registration place) implements Place {
    @Override
    public void leave(Ending how) {
      place.close();
    }
  }
}
