package dev.gannet.testing;

import dev.gannet.api.BindableService;
import dev.gannet.api.Marshallers;
import dev.gannet.api.MethodDescriptor;
import dev.gannet.api.MethodType;
import dev.gannet.api.ServerMethodDefinition;
import dev.gannet.api.ServerServiceDefinition;
import dev.gannet.api.StatusException;
import dev.gannet.api.stub.BlockingHandlers;
import java.util.List;

/** A service of text, with a method of two kinds, whose handlers can be replaced. */
final class Words implements BindableService {
  static final MethodDescriptor<String, String> SAY =
      MethodDescriptor.of(
          MethodType.UNARY, "test.Words/Say", Marshallers.utf8(), Marshallers.utf8());
  static final MethodDescriptor<String, String> TALK =
      MethodDescriptor.of(
          MethodType.BIDI_STREAMING, "test.Words/Talk", Marshallers.utf8(), Marshallers.utf8());

  private final BlockingHandlers.UnaryMethod<String, String> say;

  private Words(BlockingHandlers.UnaryMethod<String, String> say) {
    this.say = say;
  }

  /** Says again what it is told. */
  static Words echo() {
    return new Words(request -> request);
  }

  static Words saying(BlockingHandlers.UnaryMethod<String, String> say) {
    return new Words(say);
  }

  /** Implements nothing. */
  static Words none() {
    return new Words(request -> {
      throw StatusException.unimplemented(SAY);
    });
  }

  @Override
  public ServerServiceDefinition bindService() {
    return ServerServiceDefinition.of(
        "test.Words",
        List.of(
            ServerMethodDefinition.of(SAY, BlockingHandlers.unary(say)),
            ServerMethodDefinition.of(
                TALK,
                BlockingHandlers.bidiStreaming((in, out) -> {
                  for (String word : in) {
                    out.send(word);
                  }
                }))));
  }
}
