package dev.gannet.codegen;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** Writes the interface that blocking callers use: {@code GreeterClient}. */
final class ClientFile {
  private static final Template TYPE =
      new Template(
          """
          ${javadoc}
          ${annotations}
          public interface ${type} extends ${dev.gannet.api.stub.BlockingClient}<${type}> {
            ${members}
          }
          """);

  private static final Template FACTORY =
      new Template(
          """
          /** The client that makes its calls over the given channel, with no options. */
          static ${type} of(${dev.gannet.api.Channel} channel) {
            ${record}
              @${java.lang.Override}
              ${with}
                return new ${calls}(channel, options);
              }
            }
            return new ${calls}(channel, ${dev.gannet.api.CallOptions}.DEFAULT);
          }
          """);

  private static final Template METHOD =
      new Template(
          """
          ${javadoc}
          ${annotations}
          ${signature}
            ${call}
          }
          """);

  private static final String FAILURES =
      "Its methods block, and throw {@link dev.gannet.api.StatusException} if a call does not end"
          + " well. Immutable and safe for all threads.";

  private final Service service;
  private final ClassNames names;

  private ClientFile(Service service, ClassNames names) {
    this.service = service;
    this.names = names;
  }

  static SourceFile write(Service service, JavaPackages packages) {
    ClassNames names = new ClassNames(service.javaPackage(), packages);
    String body = new ClientFile(service, names).type();
    return SourceFile.of(service, service.clientName(), names, body);
  }

  private String type() {
    return TYPE.fill(
        names,
        Map.of(
            "javadoc", javadoc().render(0),
            "annotations", Annotations.ofType(service, names),
            "type", service.clientName(),
            "members", members()));
  }

  private String members() {
    List<String> members = new ArrayList<>();
    members.add(factory());
    service.rpcs().forEach(rpc -> members.add(method(rpc)));
    return Lines.paragraphs(members);
  }

  private String factory() {
    String type = service.clientName();
    String calls = service.definition().getName() + "Calls";
    List<String> components =
        List.of(
            names.of("dev.gannet.api.Channel") + " channel",
            names.of("dev.gannet.api.CallOptions") + " options");
    return FACTORY.fill(
        names,
        Map.of(
            "type",
            type,
            "calls",
            calls,
            "record",
            Lines.call(4, "record " + calls + "(", components, ") implements " + type + " {"),
            "with",
            Lines.call(6, "public " + type + " with(", components, ") {")));
  }

  private Javadoc javadoc() {
    return Javadoc.of(service.comment(), "The service {@code " + service.fullName() + "}.")
        .paragraph(FAILURES)
        .deprecatedIf(service.isDeprecated());
  }

  private String method(Rpc rpc) {
    return METHOD.fill(
        names,
        Map.of(
            "javadoc",
                Javadoc.of(rpc.comment(), rpc.summary()).deprecatedIf(rpc.isDeprecated()).render(2),
            "annotations", Annotations.deprecatedIf(rpc.isDeprecated(), names),
            "signature", signature(rpc),
            "call", call(rpc)));
  }

  private String signature(Rpc rpc) {
    String request = names.of(MessageType.of(rpc.definition().getInputType()));
    String response = names.of(MessageType.of(rpc.definition().getOutputType()));
    String returned =
        switch (rpc.kind()) {
          case UNARY -> response;
          case SERVER_STREAMING ->
              names.of("dev.gannet.api.stub.ServerStreamingCall") + "<" + response + ">";
          case CLIENT_STREAMING -> streaming("ClientStreamingCall", request, response);
          case BIDI_STREAMING -> streaming("BidiStreamingCall", request, response);
        };
    List<String> parameters = takesRequest(rpc) ? List.of(request + " request") : List.of();
    return Lines.call(2, "default " + returned + " " + rpc.methodName() + "(", parameters, ") {");
  }

  private String streaming(String call, String request, String response) {
    return "%s<%s, %s>".formatted(names.of("dev.gannet.api.stub." + call), request, response);
  }

  private String call(Rpc rpc) {
    String function =
        switch (rpc.kind()) {
          case UNARY -> "unary";
          case SERVER_STREAMING -> "serverStreaming";
          case CLIENT_STREAMING -> "clientStreaming";
          case BIDI_STREAMING -> "bidiStreaming";
        };
    List<String> arguments = new ArrayList<>();
    arguments.add("channel()");
    arguments.add(service.methodsName() + "." + rpc.constantName());
    arguments.add("options()");
    if (takesRequest(rpc)) {
      arguments.add("request");
    }
    String calls = names.of("dev.gannet.api.stub.BlockingCalls");
    return Lines.call(4, "return " + calls + "." + function + "(", arguments, ");");
  }

  private static boolean takesRequest(Rpc rpc) {
    return rpc.kind() == Rpc.Kind.UNARY || rpc.kind() == Rpc.Kind.SERVER_STREAMING;
  }
}
