package dev.gannet.codegen;

import com.google.protobuf.ExtensionRegistry;
import com.google.protobuf.JavaFeaturesProto;
import com.google.protobuf.compiler.PluginProtos;
import com.google.protobuf.compiler.PluginProtos.CodeGeneratorRequest;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;

/**
 * The program that protoc runs: it reads one {@code CodeGeneratorRequest} from the standard input
 * and writes one {@code CodeGeneratorResponse}, and nothing else, to the standard output.
 *
 * <p>Errors in the request are reported in the response. Errors of this program or in the encoding
 * of its input end it with exit code 1 and a stack trace on the standard error.
 */
public final class Main {
  private Main() {}

  public static void main(String[] args) throws IOException {
    run(System.in, System.out);
  }

  static void run(InputStream in, OutputStream out) throws IOException {
    // protobuf-java 4.36 fails to initialize if the Java features are its first class
    PluginProtos.getDescriptor();
    ExtensionRegistry features = ExtensionRegistry.newInstance();
    JavaFeaturesProto.registerAllExtensions(features);
    Generator.respond(CodeGeneratorRequest.parseFrom(in, features)).writeTo(out);
    out.flush();
  }
}
