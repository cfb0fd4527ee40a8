// Runs every test, or those whose name contains the first argument. Each is named before it runs: a sanitizer may end the process in
// it. scripts/failed_tests.py reads these lines.
#include <string_view>

#include "check.hpp"

int main(int argc, char** argv) {
    const std::string_view filter = argc > 1 ? argv[1] : "";
    int passed = 0;
    int failed = 0;
    for (const check::Test& test : check::all()) {
        if (test.name.find(filter) == std::string::npos) continue;
        std::cerr << "RUN " << test.name << "\n";
        const int before = check::failures();
        test.body();
        const bool is_good = check::failures() == before;
        (is_good ? passed : failed) += 1;
        if (!is_good) std::cerr << "FAILED " << test.name << "\n";
    }
    std::cerr << "ENDED\n";
    std::cout << passed << " passed, " << failed << " failed\n";
    return failed == 0 && passed > 0 ? 0 : 1;
}
